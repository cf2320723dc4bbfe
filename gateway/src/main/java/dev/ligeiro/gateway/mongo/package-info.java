/**
 * The MongoDB client: its threads, its guarantees, the collections and their indexes.
 */
@NullMarked
package dev.ligeiro.gateway.mongo;

import org.jspecify.annotations.NullMarked;
