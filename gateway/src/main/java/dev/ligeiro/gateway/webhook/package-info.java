/**
 * Registers the webhook endpoints of merchants. The dispatcher delivers to them.
 */
@NullMarked
package dev.ligeiro.gateway.webhook;

import org.jspecify.annotations.NullMarked;
