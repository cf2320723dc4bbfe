package dev.ligeiro.infra.launcher.service;

/** The addresses of MongoDB and Kafka. */
public record BrokerAddresses(String mongodbUri, String kafkaBootstrapServers) {

    /** Without MongoDB's URI, which may have a password. */
    @Override
    public String toString() {
        return "BrokerAddresses[" + kafkaBootstrapServers + "]";
    }
}
