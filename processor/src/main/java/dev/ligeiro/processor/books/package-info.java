/**
 * The books: postings between the accounts of each tenant, a pure function of the events. Called by Kafka, in a consumer group of its own;
 * calls MongoDB. Of what moves money, only the check of funds reads them.
 */
@NullMarked
package dev.ligeiro.processor.books;

import org.jspecify.annotations.NullMarked;
