/**
 * The number of matches of a list, exactly, from counts that are kept for slices of time; and where a row is. Called by the lists; calls
 * {@code match} to count.
 *
 * <p>The way of a request: {@code CountMatches} counts a filter with few matches in one query; for others {@code WaitForCounts} counts with
 * kept counts, at once or in {@code BackgroundCounts}. {@code CountRange} reads the counts of whole days, {@code CountDays} counts the
 * missing days, {@code CountSlices} one day's slices, {@code CountQueries} one slice. {@code FindRow} finds rows in the {@code Counts}.
 *
 * <p>If you are new here, read four classes in this order; the others serve them:
 *
 * <ol>
 *   <li>{@code Slice}: how the time is divided
 *   <li>{@code CountRange}: a total is the sum of valid counts of whole days, of new counts of the other days, and of counts of both ends
 *   <li>{@code KeptDays}: in which steps counts are read and kept, and why valid ones are exact
 *   <li>{@code CountSlices}: how a day is counted by its hours and minutes
 * </ol>
 *
 * <p>The words:
 *
 * <ul>
 *   <li><b>slice</b>: a whole day, hour or minute of UTC. Its children are its hours or minutes
 *   <li><b>few, many</b> matches: those that are counted for each request, and those for which counts are kept
 *   <li><b>settled</b>: no insert into the slice can come any more, so a count of it may be kept
 *   <li><b>valid</b>: kept with the slice's current version. Other counts are <b>missing</b>
 *   <li><b>split</b>: a slice with more index keys than one query may read. Its children are counted instead
 * </ul>
 */
@NullMarked
package dev.ligeiro.gateway.api.list.count;

import org.jspecify.annotations.NullMarked;
