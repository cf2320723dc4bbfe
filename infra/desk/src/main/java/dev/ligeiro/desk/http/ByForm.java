package dev.ligeiro.desk.http;

/** The group of constraints that hold for forms only: a person types the sum once more before money leaves. Programs need not. */
public interface ByForm {}
