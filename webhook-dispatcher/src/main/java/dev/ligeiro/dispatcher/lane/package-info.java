/**
 * Lanes: the deliveries of one endpoint that the intake did not complete, as the unit of work that one process claims. A slow or dead
 * endpoint delays only its own lane. Called by {@code intake}; calls {@code attempt} and MongoDB.
 *
 * <p>{@code LaneWorker} claims due lanes and renews their leases; {@code ClaimedLanes} works on them, each by a {@code LaneRun}, which asks
 * {@code LaneWork} what is due, has it attempted and releases the lane; {@code LaneWindow}, {@code Breaker} and {@code FairQueue} decide what may start.
 * {@code SweepLanes} repairs missing lanes and measures the backlog of all endpoints. The lane of a feed numbers its deliveries
 * ({@code NumberFeed}) instead of attempting them.
 */
@NullMarked
package dev.ligeiro.dispatcher.lane;

import org.jspecify.annotations.NullMarked;
