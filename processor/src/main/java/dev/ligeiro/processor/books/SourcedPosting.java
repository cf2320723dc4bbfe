package dev.ligeiro.processor.books;

/**
 * A posting and the record that it was made of. An event that arrives twice has two records, and only the one that is stored with the
 * posting is added to the balances.
 *
 * @param source the topic's id and the partition, without a dot
 * @param offset grows within the source
 */
record SourcedPosting(Posting posting, String source, long offset) {}
