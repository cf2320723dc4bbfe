package dev.ligeiro.desk.operator;

import java.time.Instant;
import java.util.UUID;

/** An open session of the console. */
public record SessionJson(UUID id, String operator, String address, Instant beganAt, Instant usedAt) {}
