"""The system calls that a bot may not make, as a filter that the kernel runs (seccomp).

Calls are denied by number, which differs between machines: x86_64 and aarch64 are known. Only the standard library is
used, and little of it, since the launcher of every bot loads this file.
"""

_COLUMN = {"x86_64": 0, "aarch64": 1}  # of the numbers below
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_…
_NONE = -1  # a call that there is not
_FIRST_UNKNOWN = 470  # calls that came later are not known here; so are all of x32, which begin far above

DENIED = {
    "look into other processes": {
        "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
        "pidfd_getfd": (438, 438), "pidfd_open": (434, 434), "process_madvise": (440, 440),
        "process_mrelease": (448, 448), "move_pages": (279, 239), "migrate_pages": (256, 238), "ioprio_set": (251, 30),
        "perf_event_open": (298, 241),
    },
    "mount, or make worlds of one's own": {
        "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "setns": (308, 268),
        "unshare": (272, 97), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
        "fspick": (433, 433), "move_mount": (429, 429), "open_tree": (428, 428), "open_tree_attr": (467, 467),
        "mount_setattr": (442, 442),
    },
    "reach the kernel": {
        "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218), "bpf": (321, 280),
        "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
        "io_uring_register": (427, 427), "init_module": (175, 105), "finit_module": (313, 273),
        "delete_module": (176, 106), "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142),
        "swapon": (167, 224), "swapoff": (168, 225), "sethostname": (170, 161), "setdomainname": (171, 162),
        "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171),
        "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443), "syslog": (103, 116),
        "iopl": (172, _NONE), "ioperm": (173, _NONE), "vhangup": (153, 58), "memfd_secret": (447, 447),
    },
    "watch or change files that cannot be opened": {
        "fanotify_init": (300, 262), "inotify_add_watch": (254, 27), "open_by_handle_at": (304, 265),
        "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
        "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "removexattrat": (466, 466),
        "file_setattr": (469, 469),
    },
    "share memory and messages with others": {
        "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "msgget": (68, 186), "msgsnd": (69, 189),
        "msgrcv": (70, 188), "msgctl": (71, 187), "semget": (64, 190), "semop": (65, 193), "semtimedop": (220, 192),
        "semctl": (66, 191), "mq_open": (240, 180), "mq_unlink": (241, 181),
    },
    "use up, or count, what all processes share": {
        "io_setup": (206, 0), "inotify_init": (253, _NONE), "inotify_init1": (294, 26), "ioprio_get": (252, 31),
        "mincore": (27, 232), "cachestat": (451, 451),
    },
    "speak to anybody": {"socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201)},
}  # fmt: skip

# They do nothing and seem to succeed: programs that copy files call them, and a bot's own files do not need them.
IDLE = {
    "chmod": (90, _NONE), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, _NONE),
    "lchown": (94, _NONE), "fchown": (93, 55), "fchownat": (260, 54), "utime": (132, _NONE), "utimes": (235, _NONE),
    "futimesat": (261, _NONE), "utimensat": (280, 88),
    "flock": (73, 32),  # others see who holds a file, which could tell them anything
    "fadvise64": (221, 223),  # what of a file is in memory would tell later processes anything
    "readahead": (187, 213),
    "setsid": (112, 157),  # or the system would give each session the same share of the processor
}  # fmt: skip

_TRUNCATE = (76, 45)
_CLONE, _SOCKETPAIR = (56, 220), (53, 199)
_UNSEEN = ((435, 435), (437, 437))  # clone3, openat2: their flags cannot be seen; then programs use clone and openat
_FCNTL, _IOCTL, _PRCTL, _PREADV2, _MADVISE = (72, 25), (16, 29), (157, 167), (327, 286), (28, 233)
_OWN_ONLY = (
    (203, 122), (144, 119), (142, 118), (314, 274), (302, 261),  # sched_setaffinity and so on, and prlimit64
    (121, 155), (124, 156), (148, 127), (274, 100),  # getpgid, getsid, sched_rr_get_interval, get_robust_list
)  # fmt: skip
_PRIORITIES = ((141, 140), (140, 141))  # setpriority, getpriority
_SEEN_BY_OTHERS = ((204, 123), (145, 120), (143, 121), (315, 275))  # sched_getaffinity and so on: of oneself only
_CLOCKS = ((228, 113), (229, 114), (230, 115), (222, 107))  # clock_gettime, _getres, _nanosleep, and timer_create
_CLOCKS_OF_PROCESSES = 0x80000000  # and all above it
_SIGNALS = ((62, 129), (129, 138), (234, 131), (297, 240))  # kill, rt_sigqueueinfo, tgkill, rt_tgsigqueueinfo
_SIGNALS_AT_ALL = ((200, 130), (424, 424))  # tkill, pidfd_send_signal: who is meant cannot be seen
_NAMESPACES = 0x7E020000  # the flags of clone that make namespaces
_UNIX, _DATAGRAM, _KIND = 1, 2, 0xF
_OWNERS = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: who gets which signal when a file is ready
_LOCKS = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW, which do nothing and seem to succeed
_LOOKS = (5, 36, 1024, 1025, 1026)  # F_GETLK, F_OFD_GETLK, F_SETLEASE, F_GETLEASE, F_NOTIFY: what others do with a file
_SET_DUMPABLE = 4  # a process that is not hides from the launcher what it holds
_LETTER, _TERMINALS = 0xFF00, 0x5400  # ioctl is for terminals, pipes and descriptors; others leave marks on files
_TYPING = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_OUT_OF_MEMORY = (20, 21)  # MADV_COLD, MADV_PAGEOUT, which do nothing and seem to succeed

_EPERM, _EINVAL, _ENOTTY, _ENOSYS, _EOPNOTSUPP = 1, 22, 25, 38, 95
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_LOAD, _RETURN, _EQUAL, _AT_LEAST, _ANY_BIT, _AND = 0x20, 0x06, 0x15, 0x35, 0x45, 0x54
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # where they stand in what a filter reads

Step = tuple[int, int, int, int]  # what to do, how many steps to leave out if so and if not, with which number


def is_known(machine: str) -> bool:
    """Return whether the calls of a machine are known here."""
    return machine in _COLUMN


def filter_for(machine: str, own: int = 0, truncates: bool = False) -> bytes:
    """Return the filter for a machine, as the kernel takes it.

    If `own` is a process, it alone can be sent signals; else Landlock watches over them. If `truncates`, Landlock does
    not keep files from being cut, so that this does.
    """
    column = _COLUMN[machine]
    steps = [(_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, _ARCHITECTURE[machine]), _return(_KILL), (_LOAD, 0, 0, _NUMBER)]
    steps += [(_AT_LEAST, 0, 1, _FIRST_UNKNOWN), _error(_ENOSYS)]
    for numbers in (numbers for calls in DENIED.values() for numbers in calls.values()):
        steps += _on(numbers[column], _error(_EPERM))
    for numbers in IDLE.values():
        steps += _on(numbers[column], _error(0))
    if truncates:
        steps += _on(_TRUNCATE[column], _error(_EPERM))
    for numbers in _UNSEEN:
        steps += _on(numbers[column], _error(_ENOSYS))
    steps += _on(_CLONE[column], _argument(0), (_ANY_BIT, 0, 1, _NAMESPACES), _error(_EPERM), _return(_ALLOW))
    steps += _on(_SOCKETPAIR[column], _argument(0), (_EQUAL, 1, 0, _UNIX), _error(_EPERM), _argument(1),
                 (_AND, 0, 0, _KIND), (_EQUAL, 0, 1, _DATAGRAM), _error(_EPERM), _return(_ALLOW))  # fmt: skip
    steps += _on(_FCNTL[column], _argument(1), *_none_of(_OWNERS + _LOOKS), *_idle(_LOCKS), _return(_ALLOW))
    steps += _on(_IOCTL[column], _argument(1), *_none_of(_TYPING), (_AND, 0, 0, _LETTER), (_EQUAL, 1, 0, _TERMINALS),
                 _error(_ENOTTY), _return(_ALLOW))  # fmt: skip
    steps += _on(_MADVISE[column], _argument(2), *_idle(_OUT_OF_MEMORY), _return(_ALLOW))
    steps += _on(_PREADV2[column], _argument(5), (_EQUAL, 1, 0, 0), _error(_EOPNOTSUPP), _return(_ALLOW))
    steps += _on(_PRCTL[column], _argument(0), *_none_of((_SET_DUMPABLE,)), _return(_ALLOW))
    for numbers in _PRIORITIES:
        steps += _on(numbers[column], _argument(0), *_only(0), _argument(1), *_only(0), _return(_ALLOW))
    for numbers in _SEEN_BY_OTHERS:  # the C library calls them on its own threads, and copes without
        steps += _on(numbers[column], _argument(0), (_EQUAL, 1, 0, 0), _error(_ENOSYS), _return(_ALLOW))
    clocks = (_AT_LEAST, 0, 1, _CLOCKS_OF_PROCESSES), _error(_EINVAL), _return(_ALLOW)
    for numbers in _CLOCKS:
        steps += _on(numbers[column], _argument(0), *clocks)
    for numbers in _OWN_ONLY:
        steps += _on(numbers[column], _argument(0), *_only(0), _return(_ALLOW))
    if own:
        for numbers in _SIGNALS:
            steps += _on(numbers[column], _argument(0), (_EQUAL, 1, 0, own), *_only(0), _return(_ALLOW))
        for numbers in _SIGNALS_AT_ALL:
            steps += _on(numbers[column], _error(_EPERM))
    return b"".join(_packed(step) for step in [*steps, _return(_ALLOW)])


def _on(number: int, *steps: Step) -> list[Step]:
    """Return steps that do something for a call, which must end with an answer."""
    return [] if number == _NONE else [(_EQUAL, 0, len(steps), number), *steps]


def _argument(at: int) -> Step:
    return _LOAD, 0, 0, _ARGUMENTS + 8 * at


def _none_of(numbers: tuple[int, ...]) -> list[Step]:
    return [step for number in numbers for step in ((_EQUAL, 0, 1, number), _error(_EPERM))]


def _idle(numbers: tuple[int, ...]) -> list[Step]:
    return [step for number in numbers for step in ((_EQUAL, 0, 1, number), _error(0))]


def _only(number: int) -> list[Step]:
    return [(_EQUAL, 1, 0, number), _error(_EPERM)]


def _error(number: int) -> Step:
    return _return(_ERROR | number)


def _return(value: int) -> Step:
    return _RETURN, 0, 0, value


def _packed(step: Step) -> bytes:
    code, if_so, if_not, number = step
    return code.to_bytes(2, "little") + bytes((if_so, if_not)) + number.to_bytes(4, "little")
