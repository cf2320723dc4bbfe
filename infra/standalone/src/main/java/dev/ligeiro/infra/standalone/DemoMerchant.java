package dev.ligeiro.infra.standalone;

/** A merchant to try Ligeiro with, in test mode: its money never reaches a rail. */
record DemoMerchant(String merchantId, String platformId, String apiKey) {}
