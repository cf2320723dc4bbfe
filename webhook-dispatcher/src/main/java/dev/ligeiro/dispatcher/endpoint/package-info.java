/**
 * Reads and disables the webhook endpoints that the gateway stores, and marks the lanes of disabled ones. Called by {@code intake},
 * {@code attempt}, {@code lane} and {@code backlog}; calls MongoDB.
 */
@NullMarked
package dev.ligeiro.dispatcher.endpoint;

import org.jspecify.annotations.NullMarked;
