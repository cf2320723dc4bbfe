/**
 * Reconciliation: the books are compared with each rail's own list, and what differs is a break. It reads postings and lists, and never moves
 * money. Called by nobody; calls banks and MongoDB.
 */
@NullMarked
package dev.ligeiro.processor.reconcile;

import org.jspecify.annotations.NullMarked;
