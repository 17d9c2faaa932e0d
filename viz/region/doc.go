// Package region divides a map into regions and finds typical words for each, which the map
// shows like the names of countries.
//
// Regions are the cells of k-means over positions (Lloyd, "Least squares quantization in PCM",
// IEEE Trans. Inf. Theory 1982), started with the farthest-first traversal (Gonzalez,
// "Clustering to minimize the maximum intercluster distance", 1985). The words of a region are
// those that occur in more of its texts than in all texts, after the class-based TF-IDF of
// Grootendorst, "BERTopic", arXiv 2203.05794. Stop word lists are not needed, because words
// that occur everywhere are typical of no region.
package region
