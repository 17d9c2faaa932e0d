// Package region finds the regions of a map and the words that are typical of each, to
// be written on the map like the names of countries.
//
// Regions are the cells of k-means over places (Lloyd, "Least squares quantization in
// PCM", IEEE Trans. Inf. Theory 1982), begun with points that lie far apart (Gonzalez,
// "Clustering to minimize the maximum intercluster distance", 1985). The words of a
// region are those that more of its texts have than of all, after the class-based
// TF-IDF of Grootendorst, "BERTopic", arXiv 2203.05794: no list of words of any language
// is needed, for what stands everywhere is typical of nothing.
package region
