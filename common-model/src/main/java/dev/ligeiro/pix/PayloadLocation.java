package dev.ligeiro.pix;

/**
 * A location that a rail has made for the payment data of one dynamic BR Code, before there is a charge. The rail attaches the charge to it
 * later.
 *
 * @param id the rail's id of it
 */
public record PayloadLocation(long id, MerchantAccount.DynamicLocation address) {}
