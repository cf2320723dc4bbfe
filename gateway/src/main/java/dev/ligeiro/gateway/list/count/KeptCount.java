package dev.ligeiro.gateway.list.count;

/**
 * The number of matches in a slice.
 *
 * @param version the slice's, read before its matches were counted
 * @param split whether the slice has more index keys than one query may read
 */
record KeptCount(long version, long count, boolean split) {}
