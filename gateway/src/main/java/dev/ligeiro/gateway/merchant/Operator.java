package dev.ligeiro.gateway.merchant;

/** The caller of the admin API. There is only one. */
enum Operator {
    OPERATOR
}
