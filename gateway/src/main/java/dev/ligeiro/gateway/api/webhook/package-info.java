/**
 * Registers and changes the webhook endpoints of merchants, and encrypts their secrets. The dispatcher delivers to them. Called over
 * HTTP, and by {@code delivery} and {@code replay}; calls MongoDB.
 */
@NullMarked
package dev.ligeiro.gateway.api.webhook;

import org.jspecify.annotations.NullMarked;
