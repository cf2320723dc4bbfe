/** A merchant's webhook endpoint: the gateway creates and changes it, the webhook-dispatcher sends webhooks to it. */
@NullMarked
package dev.ligeiro.webhook;

import org.jspecify.annotations.NullMarked;
