/**
 * Registers and changes the webhook endpoints of merchants, and encrypts their secrets. The dispatcher delivers to them. Called over
 * HTTP; calls MongoDB.
 */
@NullMarked
package dev.ligeiro.gateway.webhook;

import org.jspecify.annotations.NullMarked;
