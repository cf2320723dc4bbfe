/** The operator's keys for webhook secrets. Imported by the gateway and the webhook-dispatcher. */
@NullMarked
package dev.ligeiro.support.webhook;

import org.jspecify.annotations.NullMarked;
