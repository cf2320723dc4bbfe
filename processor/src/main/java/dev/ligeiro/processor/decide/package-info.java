/**
 * Decides the changes, rail calls and events of a batch of commands: pure functions over immutable values. Called by
 * {@code intake}, which carries out the decisions, and by {@code notice}, which leaves out reports that tell nothing new. It uses
 * the facts and requests of {@code rail}.
 *
 * <p>{@code Batch} has one {@code CommandRun} per transaction, which asks {@code CommandRules} about each command and
 * {@code RailDecisions} about each answer of a rail, with the {@code Context} of the decision. They pass it on:
 *
 * <ul>
 *   <li>a merchant's request to {@code ChangeDecisions}, a rail's report to {@code NoticeDecisions};
 *   <li>an answer that the money has moved to {@code SettledDecisions};
 *   <li>an answer while a decision of operators is open to {@code ResolutionDecisions}.
 * </ul>
 *
 * {@code SubmissionDecisions} begins and repeats calls, unless {@code GuardDecisions} keeps a cashout from its rail.
 */
@NullMarked
package dev.ligeiro.processor.decide;

import org.jspecify.annotations.NullMarked;
