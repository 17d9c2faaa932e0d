//go:build soak

package engine_test

import "testing"

func TestSoakErasureDuringSleep(t *testing.T) { eraseDuringSleep(t, 1) }
