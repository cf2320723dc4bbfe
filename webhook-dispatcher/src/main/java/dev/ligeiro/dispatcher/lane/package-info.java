/**
 * A lane is the queue of the deliveries of one endpoint that the intake did not complete. One process at a time claims it, so a slow or dead
 * endpoint delays only its own lane. Called by {@code intake}; calls {@code attempt} and MongoDB.
 *
 * <p>{@code LaneWorker} claims due lanes, renews their leases and has a {@code LaneRun} for each of them, which reads the due deliveries, lets
 * {@code Attempts} attempt them while the circuit breaker ({@code Breaker}) is closed, and gives the lane back. {@code SweepLanes} creates
 * missing lanes and measures the backlog of all endpoints. {@code FeedStore} numbers the deliveries of a feed, which are not attempted.
 *
 * <p>What happens after a 500 is told at {@code CompleteAttempts}.
 */
@NullMarked
package dev.ligeiro.dispatcher.lane;

import org.jspecify.annotations.NullMarked;
