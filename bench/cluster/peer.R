# Clusters vectors with hdbscan of the package dbscan. Arguments: a file of little-endian float32
# vectors, their dimension, the minimum size of a cluster, and a file for the labels, one a line, 0
# for noise. Prints the seconds that the clustering took.
suppressMessages(library(dbscan))
args <- commandArgs(trailingOnly = TRUE)
dim <- as.integer(args[2])
size <- file.info(args[1])$size / 4
x <- matrix(readBin(args[1], "numeric", n = size, size = 4, endian = "little"), ncol = dim, byrow = TRUE)
began <- proc.time()[["elapsed"]]
found <- hdbscan(x, minPts = as.integer(args[3]))
cat(proc.time()[["elapsed"]] - began, "\n")
write(found$cluster, args[4], ncolumns = 1)
