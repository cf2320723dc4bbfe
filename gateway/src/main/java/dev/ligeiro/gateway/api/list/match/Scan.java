package dev.ligeiro.gateway.api.list.match;

/**
 * The result of a count that reads a limited number of index keys.
 *
 * @param matches how many transactions match; if not complete, how many were found until the limit
 * @param isComplete whether all were counted
 */
public record Scan(long matches, boolean isComplete) {}
