/**
 * The archive: transactions of old months leave MongoDB as files, and come back when operators ask for it. One processor does it. Called by
 * nobody; calls MongoDB and a folder or a bucket.
 */
@NullMarked
package dev.ligeiro.processor.archive;

import org.jspecify.annotations.NullMarked;
