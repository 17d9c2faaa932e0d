// Package viz contains the map of memories: positions (viz/project, viz/umap), names of regions
// (viz/region) and the format for the explorer (viz/frame, viz/arrow). Its packages are pure:
// vectors, columns and bytes in and out, without a store, a clock or a random source.
package viz
