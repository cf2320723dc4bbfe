/**
 * The deliveries of a merchant's webhook endpoint: lists them, and schedules one again. The webhook-dispatcher writes them. Called over
 * HTTP; calls MongoDB.
 */
@NullMarked
package dev.ligeiro.gateway.delivery;

import org.jspecify.annotations.NullMarked;
