/**
 * The webhook endpoints of a merchant: registered here, delivered to by the dispatcher.
 */
@NullMarked
package dev.ligeiro.gateway.webhook;

import org.jspecify.annotations.NullMarked;
