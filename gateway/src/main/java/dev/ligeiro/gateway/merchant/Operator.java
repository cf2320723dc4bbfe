package dev.ligeiro.gateway.merchant;

/** The caller of the admin API. There is only one. */
public enum Operator {
    OPERATOR
}
