/**
 * The deliveries of a merchant's webhook endpoint: lists them, schedules one or those of a period again, and sends test events. The
 * webhook-dispatcher writes them. Called over HTTP; calls {@code webhook} and MongoDB.
 */
@NullMarked
package dev.ligeiro.gateway.api.webhook.delivery;

import org.jspecify.annotations.NullMarked;
