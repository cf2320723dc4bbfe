package dev.ligeiro.gateway.admin;

/**
 * The caller of the admin API.
 *
 * @param name the name of the token, which audit entries show
 */
public record Operator(String name) {}
