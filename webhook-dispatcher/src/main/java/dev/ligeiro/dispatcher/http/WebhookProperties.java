package dev.ligeiro.dispatcher.http;

import dev.ligeiro.dispatcher.DispatcherMemoryBudget;
import dev.ligeiro.webhook.AllowedNetworks;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The limits of webhook requests.
 *
 * @param allowedNetworks internal addresses and networks that webhooks may reach, with or without TLS
 * @param connectTimeout the limit for opening a TCP connection, without TLS
 * @param totalTimeout the limit from the start of an attempt to the last byte of the response
 * @param inFlightMax the maximum number of running attempts, unless the heap is too small for them
 * @param inFlightPerTenantMax the maximum number of running attempts to the endpoints of one tenant
 * @param inFlightPerEndpointMax the maximum number of running attempts to one endpoint that is quick enough for so many
 * @param batchWindow the longest time that a batch waits for its first attempts; running attempts are then stored with a lease
 * @param lease the longest time that a process holds a delivery, at least twice the sum of total timeout and window; at most 30 minutes,
 *     because a lease that ends more than an hour from now is taken for the work of a wrong clock
 */
@Validated
@ConfigurationProperties("ligeiro.webhook")
public record WebhookProperties(
        @DefaultValue List<String> allowedNetworks,
        @DefaultValue("5s") @DurationMin(millis = 1) Duration connectTimeout,
        @DefaultValue("15s") @DurationMin(millis = 1) Duration totalTimeout,
        @DefaultValue("512") @Min(1) int inFlightMax,
        @DefaultValue("128") @Min(1) int inFlightPerTenantMax,
        @DefaultValue("96") @Min(1) int inFlightPerEndpointMax,
        @DefaultValue("250ms") @DurationMin(millis = 1) Duration batchWindow,
        @DefaultValue("60s") @DurationMin(millis = 1) @DurationMax(minutes = 30) Duration lease) {

    public WebhookProperties {
        allowedNetworks = List.copyOf(allowedNetworks);
        // a malformed entry stops the start
        AllowedNetworks.parse(allowedNetworks);
    }

    @AssertTrue(
            message =
                    "ligeiro.webhook.in-flight-per-endpoint-max must be at most in-flight-per-tenant-max, and that at most in-flight-max")
    public boolean isEachLimitWithinTheNext() {
        return inFlightPerEndpointMax <= inFlightPerTenantMax && inFlightPerTenantMax <= inFlightMax;
    }

    /** If an attempt could outlast its lease, two processes could hold the same delivery. */
    @AssertTrue(message = "ligeiro.webhook.lease must be at least twice the sum of total-timeout and batch-window")
    public boolean isLeaseTwiceAnAttempt() {
        return lease.compareTo(attemptMax().multipliedBy(2)) >= 0;
    }

    /** The longest time from the claim of a delivery to the end of its attempt. */
    public Duration attemptMax() {
        return totalTimeout.plus(batchWindow);
    }

    /** The limit of running attempts: {@code inFlightMax}, or fewer if the heap is small. */
    public int attemptsMax() {
        return DispatcherMemoryBudget.attemptsMax(
                inFlightMax, Runtime.getRuntime().maxMemory());
    }

    /** The limit of running attempts of one tenant: the same share as in the settings. */
    public int attemptsPerTenantMax() {
        return share(inFlightPerTenantMax);
    }

    /** The limit of running attempts of one endpoint: the same share as in the settings, but no fewer than it begins with. */
    public int attemptsPerEndpointMax() {
        return Math.max(
                Math.min(DispatcherMemoryBudget.WINDOW_MIN, inFlightPerEndpointMax), share(inFlightPerEndpointMax));
    }

    private int share(int of) {
        return Math.max(1, (int) ((long) of * attemptsMax() / inFlightMax));
    }

    AllowedNetworks networks() {
        return AllowedNetworks.parse(allowedNetworks);
    }
}
