package client

import "context"

// Sleep is the input of a sleep; nil: the server's defaults.
type Sleep struct {
	MaxItems   *int `json:"maxItems,omitempty"`
	MaxSeconds *int `json:"maxSeconds,omitempty"`
	Deep       bool `json:"deep"`
	DryRun     bool `json:"dryRun"`
	Wait       bool `json:"wait"`
}

// SleepReport is a morning report.
type SleepReport struct {
	ID            string  `json:"id"`
	Kind          string  `json:"kind"`
	Trigger       string  `json:"trigger"`
	StartedAt     string  `json:"startedAt"`
	CompletedAt   string  `json:"completedAt"`
	Resumed       bool    `json:"resumed"`
	Complete      bool    `json:"complete"`
	DryRun        bool    `json:"dryRun"`
	Reinforced    int     `json:"reinforced"`
	Decayed       int     `json:"decayed"`
	Pruned        int     `json:"pruned"`
	Deduplicated  int     `json:"deduplicated"`
	Promoted      int     `json:"promoted"`
	Engraved      int     `json:"engraved"`
	Dreamed       int     `json:"dreamed"`
	Consolidated  int     `json:"consolidated"`
	Derived       int     `json:"derived"`
	Sparsified    int     `json:"sparsified"`
	TokensSaved   int     `json:"tokensSaved"`
	PromotionRate float64 `json:"promotionRate"`
	BudgetKept    bool    `json:"budgetKept"`
	CutOff        string  `json:"cutOff,omitempty"` // the phase in which the budget ended it
	ClustersLeft  int     `json:"clustersLeft"`
	OwnersLeft    []struct {
		Namespace string `json:"namespace"`
		User      string `json:"user"`
	} `json:"ownersLeft,omitempty"`
	Skipped      []string `json:"skipped"`
	Review       []string `json:"review"`
	Doubts       []string `json:"doubts"`
	SafetyEnded  []string `json:"safetyCriticalEnded"` // safety-critical memories whose time to live ended
	HealthBefore float64  `json:"healthBefore"`
	HealthAfter  *float64 `json:"healthAfter"`
	Phases       []struct {
		Phase   string  `json:"phase"`
		Items   int     `json:"items"`
		Seconds float64 `json:"seconds"`
	} `json:"phases"`
	Steps   []SleepStep `json:"steps,omitempty"` // of a dry run, the first 1,000
	Balance struct {
		In       int `json:"in"`
		Kept     int `json:"kept"`
		Merged   int `json:"merged"`
		Archived int `json:"archived"`
		Left     int `json:"left"`
		Derived  int `json:"derived"`
	} `json:"balance"`
}

// SleepStep is a step of a planned sleep.
type SleepStep struct {
	Phase  string   `json:"phase"`
	Verb   string   `json:"verb"`
	From   []string `json:"from"`
	To     string   `json:"to,omitempty"`
	Reason string   `json:"reason"`
}

const sleepMutation = `mutation($input:SleepInput,$plan:Boolean!){sleep(input:$input){report{id kind trigger startedAt completedAt resumed complete dryRun
reinforced decayed pruned deduplicated promoted engraved dreamed consolidated derived sparsified tokensSaved promotionRate budgetKept
cutOff clustersLeft ownersLeft{namespace user} skipped(first:1000) review(first:1000) doubts(first:1000) safetyCriticalEnded(first:1000) healthBefore healthAfter
phases{phase items seconds} balance{in kept merged archived left derived}
steps(first:1000)@include(if:$plan){phase verb from to reason}}}}`

// Sleep starts a sleep and returns its report: at its end if Wait is set, otherwise at once.
// The sleep goes on when ctx is done.
func (c *Client) Sleep(ctx context.Context, s Sleep) (*SleepReport, error) {
	var out struct {
		Sleep *struct{ Report *SleepReport }
	}
	if err := c.Do(ctx, sleepMutation, map[string]any{"input": s, "plan": s.DryRun}, &out); err != nil {
		return nil, err
	}
	if out.Sleep == nil || out.Sleep.Report == nil {
		return nil, &Error{Code: "INTERNAL", Message: "the server gave no report"}
	}
	return out.Sleep.Report, nil
}

// SleepProgress is the progress of the running sleep. Phase is empty if there is none.
type SleepProgress struct {
	Phase       string
	Done, Total int
}

// SleepProgress returns the progress of the running sleep.
func (c *Client) SleepProgress(ctx context.Context) (SleepProgress, error) {
	var out struct{ SleepStatus *SleepProgress }
	if err := c.Do(ctx, `{sleepStatus{phase done total}}`, nil, &out); err != nil {
		return SleepProgress{}, err
	}
	if out.SleepStatus == nil {
		return SleepProgress{}, &Error{Code: "INTERNAL", Message: "the server gave no status"}
	}
	return *out.SleepStatus, nil
}
