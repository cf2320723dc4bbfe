/**
 * The MongoDB collections with their indexes, and the gateway's two MongoDB clients: one for short operations, on the event loops of the
 * HTTP server, and one for long reads, with threads and connections of its own.
 */
@NullMarked
package dev.ligeiro.gateway.store;

import org.jspecify.annotations.NullMarked;
