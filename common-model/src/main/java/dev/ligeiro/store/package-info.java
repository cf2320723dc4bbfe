/**
 * The MongoDB shape that the services share: collections, field names and hand-written codecs. Nothing here talks to a server.
 */
@NullMarked
package dev.ligeiro.store;

import org.jspecify.annotations.NullMarked;
