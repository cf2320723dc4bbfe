/**
 * Sends the events of a period to a merchant's webhook endpoint again: stores the request, and schedules the deliveries in steps. Called over
 * HTTP; calls {@code delivery}, {@code webhook} and MongoDB.
 */
@NullMarked
package dev.ligeiro.gateway.api.webhook.replay;

import org.jspecify.annotations.NullMarked;
