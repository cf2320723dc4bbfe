package dev.ligeiro.gateway.admin;

/** The caller of the admin API. There is only one. */
public enum Operator {
    OPERATOR
}
