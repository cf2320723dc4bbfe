/**
 * The number of matches of a list, exactly, from cached counts of time buckets; and where a row is. Called by the lists; calls
 * {@code match} to count.
 *
 * <p>The way of a request: {@code CountMatches} counts a filter with few matches in one query; for others {@code CountRange} adds cached
 * counts, at once or in {@code BackgroundCounts}. {@code CountDays} counts the days without valid ones, and proves that they are exact.
 * The {@code Counts} tell where a row is.
 *
 * <ul>
 *   <li><b>time bucket</b>: some whole minutes of one UTC day, as many as one query can count. Mostly the whole day
 *   <li><b>few, many</b> matches: those that are counted for each request, and those for which counts are cached
 *   <li><b>settled</b>: no insert into the bucket can come any more, so a count of it may be cached
 *   <li><b>valid</b>: cached with the current versions of the bucket's minutes. Other counts are <b>missing</b>
 *   <li><b>young</b>: after the last bucket; counted for each request
 * </ul>
 */
@NullMarked
package dev.ligeiro.gateway.api.list.count;

import org.jspecify.annotations.NullMarked;
