package dev.ligeiro.infra.standalone.service;

/** The addresses of MongoDB and Kafka. */
public record BrokerAddresses(String mongodbUri, String kafkaBootstrapServers) {}
