/**
 * Lists transactions by filters, page by page, with exact totals, and exports all of a list as CSV. Called by HTTP, and by the statement for
 * figures and exports.
 *
 * <p>The way of a page: {@code ListQuery} (parameters) → {@code ListTransactions} → {@code CountMatches} (the total, and where the page
 * begins) → {@code ReadMatches} (its rows) → {@code ListPage}.
 *
 * <p><b>Counts.</b> {@code CountMatches} counts a filter with few matches in one query; for others {@code CountDays} adds cached counts, and
 * counts the days without valid ones.
 *
 * <ul>
 *   <li><b>time bucket</b>: some whole minutes of one UTC day, as many as one query can count. Mostly the whole day
 *   <li><b>few, many</b> matches: those that are counted for each request, and those for which counts are cached
 *   <li><b>settled</b>: no insert into the bucket can come any more, so a count of it may be cached
 *   <li><b>valid</b>: cached with the current versions of the bucket's minutes. Other counts are <b>missing</b>
 *   <li><b>young</b>: after the last bucket; counted for each request
 * </ul>
 *
 * <p><b>Rows.</b> A filter is made of terms that one index each answers. {@code TermStore} reads counts and ids by index keys only, {@code
 * DocumentStore} only the documents of the shown rows. For several terms the ids of the <b>rarest</b> one, with the fewest ids in a span, are
 * read in <b>chunks</b> and looked up in the indexes of the others. A term with search tokens has a range of its index for each UTC day: {@code
 * TokenDays}.
 */
@NullMarked
package dev.ligeiro.gateway.api.list;

import org.jspecify.annotations.NullMarked;
