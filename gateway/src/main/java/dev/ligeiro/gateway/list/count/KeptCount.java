package dev.ligeiro.gateway.list.count;

/**
 * The number of matches in a slice.
 *
 * @param version the slice's, read before its matches were counted
 * @param split whether it is the sum of the counts of its children
 */
record KeptCount(long version, long count, boolean split) {}
