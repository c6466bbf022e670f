package org.ghcdebug.client.source.socket;

import java.nio.file.Path;

/**
 * A socket in the folder where debuggees put theirs.
 *
 * @param path the socket's file
 * @param pid the process that made it, as its name says
 * @param program that process's executable, as its name says
 * @param live whether something listens on it; a killed program leaves its file behind
 */
public record DebuggeeSocket(Path path, long pid, String program, boolean live) {}
