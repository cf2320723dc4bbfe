package dev.ligeiro.desk.operator;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * Somebody has signed in to the console, or has sent a wrong token to the console or the API. It is published as an event, which the audit
 * keeps.
 *
 * @param operator null for a wrong token
 */
public record SignInAttempt(@Nullable Operator operator, HttpServletRequest request) {}
