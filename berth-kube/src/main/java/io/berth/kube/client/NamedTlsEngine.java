package io.berth.kube.client;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

/// An engine that keeps to its own server name when it is given parameters with another. All else
/// goes to the actual engine.
final class NamedTlsEngine extends SSLEngine {
    private final SSLEngine actual;
    private final String serverName;

    NamedTlsEngine(SSLEngine actual, String serverName) {
        super(serverName, actual.getPeerPort());
        this.actual = actual;
        this.serverName = serverName;
    }

    @Override
    public void setSSLParameters(SSLParameters parameters) {
        parameters.setServerNames(List.of(new SNIHostName(serverName)));
        actual.setSSLParameters(parameters);
    }

    @Override
    public SSLParameters getSSLParameters() {
        return actual.getSSLParameters();
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target)
            throws SSLException {
        return actual.wrap(sources, offset, length, target);
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length)
            throws SSLException {
        return actual.unwrap(source, targets, offset, length);
    }

    @Override
    public Runnable getDelegatedTask() {
        return actual.getDelegatedTask();
    }

    @Override
    public void closeInbound() throws SSLException {
        actual.closeInbound();
    }

    @Override
    public boolean isInboundDone() {
        return actual.isInboundDone();
    }

    @Override
    public void closeOutbound() {
        actual.closeOutbound();
    }

    @Override
    public boolean isOutboundDone() {
        return actual.isOutboundDone();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return actual.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return actual.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        actual.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return actual.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return actual.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        actual.setEnabledProtocols(protocols);
    }

    @Override
    public SSLSession getSession() {
        return actual.getSession();
    }

    @Override
    public SSLSession getHandshakeSession() {
        return actual.getHandshakeSession();
    }

    @Override
    public void beginHandshake() throws SSLException {
        actual.beginHandshake();
    }

    @Override
    public HandshakeStatus getHandshakeStatus() {
        return actual.getHandshakeStatus();
    }

    @Override
    public void setUseClientMode(boolean mode) {
        actual.setUseClientMode(mode);
    }

    @Override
    public boolean getUseClientMode() {
        return actual.getUseClientMode();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        actual.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return actual.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        actual.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return actual.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        actual.setEnableSessionCreation(flag);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return actual.getEnableSessionCreation();
    }

    @Override
    public String getApplicationProtocol() {
        return actual.getApplicationProtocol();
    }

    @Override
    public String getHandshakeApplicationProtocol() {
        return actual.getHandshakeApplicationProtocol();
    }

    @Override
    public void setHandshakeApplicationProtocolSelector(
            BiFunction<SSLEngine, List<String>, String> selector) {
        actual.setHandshakeApplicationProtocolSelector(selector);
    }

    @Override
    public BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
        return actual.getHandshakeApplicationProtocolSelector();
    }
}
