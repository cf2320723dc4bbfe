/**
 * The backlog as a whole: {@code SweepLanes} repairs missing lanes and measures what is due and what waits, at an interval, in every
 * process. Called by nobody; calls {@code delivery}, {@code endpoint} and MongoDB. The work on a lane is in {@code lane}.
 */
@NullMarked
package dev.ligeiro.dispatcher.backlog;

import org.jspecify.annotations.NullMarked;
