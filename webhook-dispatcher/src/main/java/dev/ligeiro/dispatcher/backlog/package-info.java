/**
 * The backlog of all endpoints: in every process, {@code SweepLanes} repairs missing lanes and measures the due and the waiting deliveries
 * at an interval. No other package calls it; it calls {@code delivery}, {@code endpoint} and MongoDB. The work on a lane is in {@code lane}.
 */
@NullMarked
package dev.ligeiro.dispatcher.backlog;

import org.jspecify.annotations.NullMarked;
