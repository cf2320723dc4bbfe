/** Payloads of webhooks, from an event or from a stored transaction. Called by {@code intake} and {@code lane}; reads MongoDB. */
@NullMarked
package dev.ligeiro.dispatcher.payload;

import org.jspecify.annotations.NullMarked;
