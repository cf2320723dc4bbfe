/** Reads and disables the webhook endpoints that the gateway stores. Called by {@code intake} and {@code schedule}; calls MongoDB. */
@NullMarked
package dev.ligeiro.dispatcher.endpoint;

import org.jspecify.annotations.NullMarked;
