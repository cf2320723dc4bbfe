/** The MongoDB collections with their indexes, and the event loops that the client shares with the HTTP server. */
@NullMarked
package dev.ligeiro.gateway.mongo;

import org.jspecify.annotations.NullMarked;
