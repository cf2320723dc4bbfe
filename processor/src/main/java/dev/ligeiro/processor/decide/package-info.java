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
 *
 * <p>A cashout whose call has timed out: the call and the time of its next check were stored before it was made. {@code Rails} (package
 * {@code rail}) reports the time-out as an unknown outcome, after which {@code RailDecisions} lets the check wait longer each time, up to five
 * minutes. {@code DispatchDue} (package {@code due}) sends a command for the check, and {@code SubmissionDecisions} inquires at the rail, or
 * submits again with the same id where that is how the rail is asked. The rail's answer settles or denies the cashout. An answer that it does
 * not know the cashout counts only when a late arrival is impossible; then the cashout is submitted again.
 */
@NullMarked
package dev.ligeiro.processor.decide;

import org.jspecify.annotations.NullMarked;
