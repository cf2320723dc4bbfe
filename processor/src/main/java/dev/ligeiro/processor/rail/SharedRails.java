package dev.ligeiro.processor.rail;

import java.util.List;

/** The rails with one account each, of their own name, whose calls at once are shared by all processors. */
public record SharedRails(List<PaymentRail> rails) {}
