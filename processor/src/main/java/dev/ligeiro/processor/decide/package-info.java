/**
 * Decides the changes, rail calls and events of a batch of commands: pure functions over immutable values. Called by
 * {@code intake}, which carries out the decisions, and by {@code notice}, which leaves out reports that tell nothing new. It uses
 * the facts and requests of {@code rail}.
 *
 * <p>{@code Batch} has one {@code CommandRun} per transaction, which asks {@code CommandRules} about each command and
 * {@code RailDecisions} about each answer of a rail. They pass it on:
 *
 * <ul>
 *   <li>a merchant's request to {@code ChangeDecisions}, a rail's report to {@code NoticeDecisions};
 *   <li>an answer while a merchant's cancel is open to {@code CancelDecisions}, while a decision of operators is to
 *       {@code ResolutionDecisions};
 *   <li>an answer that the money has moved to {@code SettledDecisions}, a rejection to {@code RejectionDecisions};
 *   <li>another answer to {@code RailCallDecisions} if the call is stored, to {@code ChargeDecisions} if it is not.
 * </ul>
 *
 * {@code SubmissionDecisions} begins and repeats calls, {@code RailSchedule} has their times.
 */
@NullMarked
package dev.ligeiro.processor.decide;

import org.jspecify.annotations.NullMarked;
