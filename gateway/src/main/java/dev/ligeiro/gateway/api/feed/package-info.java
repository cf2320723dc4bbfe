/**
 * The feed of a merchant's events, in the order of the numbers that the webhook-dispatcher has given them. Called over HTTP; calls
 * MongoDB.
 */
@NullMarked
package dev.ligeiro.gateway.api.feed;

import org.jspecify.annotations.NullMarked;
