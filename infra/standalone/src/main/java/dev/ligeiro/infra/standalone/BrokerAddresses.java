package dev.ligeiro.infra.standalone;

/** Where the services find MongoDB and Kafka. */
record BrokerAddresses(String mongodbUri, String kafkaBootstrapServers) {}
