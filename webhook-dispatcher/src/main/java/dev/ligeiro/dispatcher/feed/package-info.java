/**
 * The feed of a tenant: its due deliveries get numbers, in whose order the gateway shows them. Called by {@code lane}; calls
 * {@code delivery} and MongoDB.
 */
@NullMarked
package dev.ligeiro.dispatcher.feed;

import org.jspecify.annotations.NullMarked;
