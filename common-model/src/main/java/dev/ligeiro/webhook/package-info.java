/**
 * Webhooks: endpoints, which the gateway creates and changes, and whose secrets are stored encrypted; deliveries to them, with their
 * attempts, and lanes, which the webhook-dispatcher writes and the gateway lists and schedules again.
 */
@NullMarked
package dev.ligeiro.webhook;

import org.jspecify.annotations.NullMarked;
